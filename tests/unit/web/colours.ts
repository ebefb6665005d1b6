/** Red, green and blue of sRGB without its curve, 0 to 1. */
export type Rgb = readonly [number, number, number]
type Lab = readonly [number, number, number]
export type Sight = 'normal' | 'deuteranopia' | 'protanopia' | 'tritanopia'

/** @param hex `#rrggbb` */
export function rgbOf(hex: string): Rgb {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

const times = (rows: readonly Rgb[], [r, g, b]: Rgb): Rgb => {
  const [x = 0, y = 0, z = 0] = rows.map((row) => row[0] * r + row[1] * g + row[2] * b)
  return [x, y, z]
}

/** Machado, Oliveira and Fernandes 2009, severity 1. */
const sights: Readonly<Record<Sight, readonly Rgb[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** What somebody with this sight sees. */
export function seenBy(sight: Sight, colour: Rgb): Rgb {
  const [r, g, b] = times(sights[sight], colour)
  const bounded = (value: number): number => Math.min(1, Math.max(0, value))
  return [bounded(r), bounded(g), bounded(b)]
}

const brightness = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** Without its hue. */
export const mixed = (colour: Rgb): Rgb => {
  const grey = brightness(colour)
  return [grey, grey, grey]
}

/** Of WCAG 2: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [brightness(one), brightness(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function labOf(colour: Rgb): Lab {
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    colour,
  )
  const f = (value: number): number =>
    value > 216 / 24_389 ? Math.cbrt(value) : (value * (24_389 / 27) + 16) / 116
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)]
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** CIEDE2000. */
export function differenceOf(one: Rgb, other: Rgb): number {
  const [[l1, a1, b1], [l2, a2, b2]] = [labOf(one), labOf(other)]
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7
  const g = 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)))
  const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)]
  const hue = (a: number, b: number): number => (Math.atan2(b, a * (1 + g)) * 180) / Math.PI
  const [h1, h2] = [(hue(a1, b1) + 360) % 360, (hue(a2, b2) + 360) % 360]
  const isGrey = c1 * c2 === 0
  const apart = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180
  const meanHue = isGrey ? h1 + h2 : (h1 + apart / 2 + 360) % 360
  const [deltaL, deltaC] = [l2 - l1, c2 - c1]
  const deltaH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(apart / 2))
  const [meanL, meanC] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const t =
    1 -
    0.17 * Math.cos(radians(meanHue - 30)) +
    0.24 * Math.cos(radians(2 * meanHue)) +
    0.32 * Math.cos(radians(3 * meanHue + 6)) -
    0.2 * Math.cos(radians(4 * meanHue - 63))
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2)
  const [sc, sh] = [1 + 0.045 * meanC, 1 + 0.015 * meanC * t]
  const turn = 30 * Math.exp(-(((meanHue - 275) / 25) ** 2))
  const rt = -2 * Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)) * Math.sin(radians(2 * turn))
  const [x, y, z] = [deltaL / sl, deltaC / sc, deltaH / sh]
  return Math.sqrt(x * x + y * y + z * z + rt * y * z)
}
