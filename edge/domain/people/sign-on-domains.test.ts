// Tests that a domain of single sign-on is one in all its spellings.

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../contract/json.ts'
import { domainOf, findDomainFaults, toDomains } from './sign-on-domains.ts'

test('domains are listed once, in lower case and in ASCII', () => {
  const given = [' Shop.example', 'shop.EXAMPLE', 'bücher.example', 'XN--BCHER-KVA.example']
  const domains = toDomains(given)
  expect(domains).toEqual(['shop.example', 'xn--bcher-kva.example'])
  expect(findDomainFaults({ domains: given })).toEqual([])
  for (const address of ['ada@bücher.example', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example', 'a@Shop.Example']) {
    expect(domains).toContain(domainOf(address))
  }
})

test.each([' ', 'shop', 'a b.example', 'shop.example/x', '1.2', 'ada@shop.example'])('%j is no domain', (text) => {
  const message = '1 to 20 domains of e-mail addresses, such as example.com.'
  expect(findDomainFaults({ domains: ['shop.example', text] })).toEqual([{ path: 'domains', message }])
})

test.each<JsonObject>([{}, { domains: 'shop' }, { domains: [] }, { domains: [''] }, { domains: [7] }])(
  '%j is left to the schema',
  (body) => {
    expect(findDomainFaults(body)).toEqual([])
  },
)
