import { useEffect, useState } from 'preact/hooks'

const query = '(max-width: 700px)'

/** Whether two texts have no room beside each other; follows the window. */
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
