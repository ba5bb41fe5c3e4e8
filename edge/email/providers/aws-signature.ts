// Signs a request to AWS (Signature Version 4).

import { createHash, createHmac } from 'node:crypto'

export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary keys. */
  sessionToken?: string
}

export interface AwsRequest {
  method: string
  /** Without a query. */
  url: string
  /** By lower-case name; all are signed. */
  headers: Record<string, string>
  body: string
}

/** @returns the headers with `host`, `x-amz-date` and `authorization`. `now`: epoch ms. */
export function signAwsRequest(
  { method, url, headers, body }: AwsRequest,
  keys: AwsKeys,
  { region, service, now }: { region: string; service: string; now: number },
): Record<string, string> {
  const { host, pathname } = new URL(url)
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const all: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
  }
  const names = Object.keys(all).sort()
  const lines = names.map((name) => `${name}:${(all[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('')
  const signedNames = names.join(';')
  const canonical = [method, pathname, '', lines, signedNames, sha256(body)].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${keys.secretAccessKey}`)
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${hmac(key, toSign).toString('hex')}`
  return { ...all, authorization }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
