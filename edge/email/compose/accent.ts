// Derives the colours of the default mail from the accent colour of a config: each stays readable, in light and in dark.

export interface Accent {
  /** Of buttons, and of the tile. */
  base: string
  /** Of text on it. */
  onBase: string
  /** Of links on white. */
  link: string
  /** Of links on the sheet in dark mode. */
  darkLink: string
}

const STANDARD: Accent = { base: '#2f5fe0', onBase: '#ffffff', link: '#2f5fe0', darkLink: '#8fb0ff' }
export const DARK_SHEET = '#1d2025'
/** Of text, by WCAG AA. */
const MIN_CONTRAST = 4.5
const STEPS = 20

/** @param colour `#rrggbb`; null: the standard one */
export function accentOf(colour: string | null): Accent {
  if (colour === null) return STANDARD
  const base = colour.toLowerCase()
  const onBase = contrast(base, '#ffffff') >= contrast(base, '#1c1f24') ? '#ffffff' : '#1c1f24'
  return { base, onBase, link: readable(base, '#000000', '#ffffff'), darkLink: readable(base, '#ffffff', DARK_SHEET) }
}

/** Mixes the colour with another one until it can be read on the background. */
function readable(colour: string, towards: string, background: string): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, towards, step / STEPS)
    if (contrast(mixed, background) >= MIN_CONTRAST) return mixed
  }
  return towards
}

function mix(one: string, other: string, share: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(one).map((value, place) => Math.round(value + ((others[place] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
