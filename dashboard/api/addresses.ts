// Builds the addresses of calls that a page begins before its scripts are loaded (begin.ts), and their queries.

export type Query = Readonly<Record<string, string | number | undefined>>

export const AUTH = '/v1/dashboard/auth'
export const ME = `${AUTH}/me`

export const environmentsAddress = (org: string): string =>
  `/v1/dashboard/organisations/${encodeURIComponent(org)}/environments`

export const statsAddress = (environmentId: string, of: 'series' | 'online'): string =>
  `/v1/dashboard/environments/${encodeURIComponent(environmentId)}/stats/${of}`

export const deliveriesAddress = (environmentId: string): string =>
  `/v1/dashboard/environments/${encodeURIComponent(environmentId)}/deliveries`

/** @returns The path with the parameters that have a value. An empty text is a value: it filters by "before any branch". */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}
