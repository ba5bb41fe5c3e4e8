// Parses themes from CSS text and formats settings for a customer's style sheet.

/** Values by custom property, in their order in the text. */
export type Settings = Map<string, string>

/** Parses the custom properties of a theme's style sheet. */
export function readTheme(css: string): Settings {
  return new Map(
    [...css.matchAll(/^\s*(--nc-[a-z-]+):\s*([^;]+);$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Formats the settings as CSS for a customer; a sentence while there are none. */
export function toCss(settings: ReadonlyMap<string, string>): string {
  if (settings.size === 0) return '/* The standard theme needs none. */'
  const lines = [...settings].map(([name, value]) => `  ${name}: ${value};`)
  return ['notification-center {', ...lines, '}'].join('\n')
}

export interface Pair {
  light: string
  dark: string
}

/** Parses `light-dark(#…, #…)`, or one colour for both. @returns undefined for any other text */
export function readPair(value: string): Pair | undefined {
  const [light, dark = light] = value.match(/#[0-9a-f]{6}\b/gi) ?? []
  return light === undefined || dark === undefined ? undefined : { light, dark }
}

export function writePair({ light, dark }: Pair): string {
  return light === dark ? light : `light-dark(${light}, ${dark})`
}
