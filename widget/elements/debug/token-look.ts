// What can be seen of a user's token without being able to check it: its form, and when it ends.

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
