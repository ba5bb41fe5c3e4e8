// Tests the signature of requests to AWS with examples that AWS has published.

import { describe, expect, test } from 'vitest'
import { type AwsRequest, signAwsRequest } from './aws-signature.ts'

const SCOPE = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
  now: Date.UTC(2015, 7, 30, 12, 36),
}
const REQUEST: AwsRequest = { method: 'GET', url: 'https://example.amazonaws.com/', headers: {}, body: '' }

describe('signAwsRequest', () => {
  test('signs the example of the documentation, with a query and headers', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const url = 'https://iam.amazonaws.com/?Version=2010-05-08&Action=ListUsers'
    expect(signAwsRequest({ ...REQUEST, url, headers }, { ...SCOPE, service: 'iam' })).toEqual({
      ...headers,
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    })
  })

  // Of the suite aws-sig-v4-test-suite.
  test.each([
    ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      { url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1' },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
  ] as const)('signs %s', (_name, more, signature) => {
    expect(signAwsRequest({ ...REQUEST, ...more }, SCOPE).authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    )
  })

  test('signs the body', () => {
    const of = (body: string) => signAwsRequest({ ...REQUEST, method: 'POST', body }, SCOPE).authorization
    expect(of('a')).not.toBe(of('b'))
  })
})
