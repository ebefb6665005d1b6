import { useEffect, useState } from 'preact/hooks'

const query = '(max-width: 700px)'

/** Whether the window is too narrow for two texts side by side. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const onChange = (): void => setNarrow(media.matches)
    media.addEventListener('change', onChange)
    return () => media.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
