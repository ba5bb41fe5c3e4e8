// Names the browser and the system of a session.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(Headless)?Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** @returns Such as "Firefox on macOS"; the text itself for other programs. */
export function browserOf(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return userAgent === '' ? 'Unknown program' : userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}
