// Signs a request to AWS (Signature Version 4).

import { createHmac } from 'node:crypto'
import { toIso } from '../../lib/clock.ts'
import { hmacHex, sha256Hex } from '../../lib/hmac.ts'

export interface AwsRequest {
  method: 'GET' | 'POST'
  url: string
  /** By lower-case name; all of them are signed. */
  headers: Record<string, string>
  body: string
}

export interface AwsScope {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
  /** Epoch ms. */
  now: number
}

/** @returns the headers of the request, with those that sign it. `host` is signed, and left to the client. */
export function signAwsRequest({ method, url, headers, body }: AwsRequest, scope: AwsScope): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  const time = toIso(scope.now).replace(/[-:]|\.\d+/g, '')
  const sent = { ...headers, 'x-amz-date': time }
  const signed = Object.entries({ ...sent, host }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    pathname.split('/').map(encode).join('/'),
    [...searchParams]
      .map(([name, value]): [string, string] => [encode(name), encode(value)])
      .sort(byName)
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256Hex(body),
  ].join('\n')
  const day = time.slice(0, 8)
  const path = `${day}/${scope.region}/${scope.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, path, sha256Hex(canonical)].join('\n')
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce(
    (from, text) => createHmac('sha256', from).update(text).digest(),
    Buffer.from(`AWS4${scope.secretAccessKey}`),
  )
  const credential = `Credential=${scope.accessKeyId}/${path}`
  const signature = `SignedHeaders=${names}, Signature=${hmacHex(key, toSign)}`
  return { ...sent, authorization: `AWS4-HMAC-SHA256 ${credential}, ${signature}` }
}

const byName = (a: [string, string], b: [string, string]) => {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1
  return a[1] < b[1] ? -1 : Number(a[1] > b[1])
}

/** AWS leaves fewer characters than `encodeURIComponent`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
