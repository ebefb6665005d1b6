/** Reports the height of an area now, and whenever it changes. @returns stops watching */
export function watchHeight(area: HTMLElement | null, onHeight: (height: number) => void): () => void {
  if (area === null) return () => undefined
  const observer = new ResizeObserver(() => onHeight(area.clientHeight))
  observer.observe(area)
  return () => observer.disconnect()
}
