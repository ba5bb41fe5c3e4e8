// Tests that a domain of single sign-on is one in all its spellings.

import { expect, test } from 'vitest'
import { domainOf, parseDomains } from './parse-single-sign-on.ts'

test('domains are listed once, in lower case and in ASCII', () => {
  const domains = parseDomains([' Shop.example', 'shop.EXAMPLE', 'bücher.example', 'XN--BCHER-KVA.example'])
  expect(domains).toEqual(['shop.example', 'xn--bcher-kva.example'])
  for (const address of ['ada@bücher.example', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example', 'a@Shop.Example']) {
    expect(domains).toContain(domainOf(address))
  }
})

test.each(['', 'shop', 'a b.example', 'shop.example/x', '1.2', 'ada@shop.example'])('%j is no domain', (text) => {
  expect(() => parseDomains([text])).toThrow()
})
