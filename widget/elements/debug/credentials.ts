// What a report may show of keys, users and tokens: enough to tell them apart, never enough to use them.

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

/** @returns the text without anything in the form of a secret or an e-mail address, and without the words given */
export function scrub(text: string, words: (string | null | undefined)[] = []): string {
  const known = words.filter((word): word is string => typeof word === 'string' && word.length > 3)
  const without = known.sort((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, '…'), text)
  return SECRETS.reduce((rest, form) => rest.replace(form, (found) => (found.includes('…') ? found : '…')), without)
}

/** What a token shows without a key to check it. */
export interface TokenLook {
  kind: 'none' | 'backend token' | 'backend token that ends' | 'JWT' | 'of no form that the service knows'
  endsAt?: number
  /** Not before this. */
  beginsAt?: number
}

export function lookAtToken(token: string | null): TokenLook {
  if (token === null || token === '') return { kind: 'none' }
  if (/^[0-9a-f]{64}$/i.test(token)) return { kind: 'backend token' }
  const ends = /^v2\.(\d{1,11})\.[0-9a-f]+$/i.exec(token)?.[1]
  if (ends !== undefined) return { kind: 'backend token that ends', endsAt: Number(ends) * 1000 }
  const claims = claimsOf(token)
  if (claims === undefined) return { kind: 'of no form that the service knows' }
  const { exp, nbf, iat } = claims
  const begins = [nbf, iat].find((at) => typeof at === 'number')
  return {
    kind: 'JWT',
    ...(typeof exp === 'number' && { endsAt: exp * 1000 }),
    ...(typeof begins === 'number' && { beginsAt: begins * 1000 }),
  }
}

function claimsOf(token: string): Record<string, unknown> | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  try {
    const claims: unknown = JSON.parse(atob((parts[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
