// What a report of `debug` may say of keys, people and tokens: enough to tell them apart, never enough to use them.

/** `nc_front_eu_…a1b2`; of anything that is no Front API Key no character of its secret part. */
export function maskKey(key: string | null): string {
  if (key === null) return 'not set'
  if (key === '') return 'empty'
  const [, kind, ending] = /^(nc_(?:front|sdk|auth)_(?:[a-z0-9]+_)?)([0-9a-f]+)$/.exec(key) ?? []
  if (kind === undefined || ending === undefined) return `… (${key.length} characters, no Front API Key)`
  return kind.startsWith('nc_front_') && ending.length > 8 ? `${kind}…${ending.slice(-4)}` : `${kind}…`
}

/** User ids are often e-mail addresses. */
export function maskUser(userId: string | null | undefined): string {
  if (userId === null || userId === undefined) return 'not set'
  return userId.includes('@') ? `${userId.slice(0, 1)}…@… (${userId.length} characters)` : userId
}

const SECRETS = [
  /eyJ[\w-]+\.[\w-]*\.?[\w-]*/g,
  /nc_(?:sdk|auth)_[\w-]+/g,
  /v\d\.\d+\.[\w-]+/g,
  /[0-9a-f]{40,}/gi,
  /[^\s@"'<>()[\]]+@[^\s@"'<>()[\]]+/g,
]

/** The last look at a text before it is shown: what has the form of a secret or of an address goes, and so do the words given. */
export function scrub(text: string, words: (string | null | undefined)[] = []): string {
  const known = words.filter((word): word is string => typeof word === 'string' && word.length > 3)
  const without = known.sort((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, '…'), text)
  return SECRETS.reduce((rest, form) => rest.replace(form, (found) => (found.includes('…') ? found : '…')), without)
}
