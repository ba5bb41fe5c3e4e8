// Themes as CSS text: read into settings, and written for a customer's style sheet.

/** Values by custom property, in the order they are written. */
export type Settings = Map<string, string>

/** The custom properties that a theme's sheet sets. */
export function readTheme(css: string): Settings {
  return new Map(
    [...css.matchAll(/^\s*(--nc-[a-z-]+):\s*([^;]+);$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** What goes into the page's style sheet; a sentence while nothing is set. */
export function toCss(settings: ReadonlyMap<string, string>): string {
  if (settings.size === 0) return '/* The standard theme needs none. */'
  const lines = [...settings].map(([name, value]) => `  ${name}: ${value};`)
  return ['notification-center {', ...lines, '}'].join('\n')
}

export interface Pair {
  light: string
  dark: string
}

/** Both colours of `light-dark(#…, #…)`, or one for both. Undefined for what is no such colour. */
export function readPair(value: string): Pair | undefined {
  const [light, dark = light] = value.match(/#[0-9a-f]{6}\b/gi) ?? []
  return light === undefined || dark === undefined ? undefined : { light, dark }
}

export function writePair({ light, dark }: Pair): string {
  return light === dark ? light : `light-dark(${light}, ${dark})`
}
