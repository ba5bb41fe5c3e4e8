// Tests the names of events that are made of any text.

import { expect, test } from 'vitest'
import { toEventName } from './event-name.ts'

test.each(['Order Completed', 'order-completed', 'order_completed', 'a/b:c.d'])('the usual name %s stays', (text) => {
  expect(toEventName(text)).toBe(text)
})

test.each([
  ['Order – Completed', 'Order Completed'],
  ['\tOrder\u00a0Completed ', 'Order Completed'],
  ['a..b  c_', 'a.b c'],
  ['nc.secret', 'nc-secret'],
  ['Commande payée (Web)!', 'Commande payee Web'],
  ['pag\u00f3', 'pago'],
  ['pago\u0301', 'pago'],
])('%j loses accents and separators alone', (text, name) => {
  expect(toEventName(text)).toBe(name)
})

test.each([
  ['C#', 'C-95da4403'],
  ['Order #1', 'Order 1-f5264769'],
  ['Größe – geändert!', 'Gro-e geandert-6c24689e'],
  ['注文', 'event-596729ab'],
  ['Заказ оформлен', 'event-939e3ef0'],
  ['Оплата не прошла', 'event-df1262ba'],
  ['9 lives', 'lives-3a0c89df'],
])('%j loses more, and has a hash', (text, name) => {
  expect(toEventName(text)).toBe(name)
})
