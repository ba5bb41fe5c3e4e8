// Shows the pages that notifications link to (an order, an invoice, the care guide), and the page for an unknown path.

import { h, icon } from '../dom.ts'
import { pageAddress } from '../prefix.ts'

export function orderPage(orderId: string): HTMLElement[] {
  const stops = ['Ordered', 'Packed in straw', 'Left the greenhouse', 'At your door']
  return [
    paper(
      `Order ${orderId}`,
      'Your parcel',
      h(
        'ol',
        { class: 'stops', id: 'parcel' },
        ...stops.map((stop, index) =>
          h('li', { class: index < 3 ? 'done' : '' }, index < 3 ? icon('check') : null, stop),
        ),
      ),
      h('p', {}, 'Open the box the day it arrives. A little water, no sun for a day, and no repotting before spring.'),
    ),
  ]
}

export function invoicePage(invoiceId: string): HTMLElement[] {
  return [
    paper(
      `Invoice ${invoiceId}`,
      'Loam Greenhouses',
      h(
        'dl',
        { class: 'facts', id: 'pay' },
        h('dt', {}, 'Pay to'),
        h('dd', {}, 'DE00 0000 0000 0000 0000 00'),
        h('dt', {}, 'Reference'),
        h('dd', {}, invoiceId),
      ),
      h(
        'p',
        { id: 'parts' },
        'Any invoice over € 500 may be paid in three parts. Nothing is really owed here: this is a demo.',
      ),
    ),
  ]
}

export function carePage(): HTMLElement[] {
  const rules: [string, string][] = [
    ['Look before you water', 'A finger two centimetres into the soil knows more than any calendar.'],
    ['Light is food', 'If you can read there at noon without a lamp, something will grow there.'],
    ['Turn it', 'A quarter turn a week, and it will not lean.'],
    ['Leave it alone', 'Most plants die of attention.'],
  ]
  return [
    paper(
      'The care guide',
      'One page, as promised',
      h(
        'ol',
        { class: 'rules' },
        ...rules.map(([title, text]) => h('li', {}, h('strong', {}, title), h('span', {}, text))),
      ),
    ),
  ]
}

export function lostPage(path: string): HTMLElement[] {
  return [paper('Nothing grows here', path, h('p', {}, 'There is no such page in the shop.'))]
}

function paper(title: string, eyebrow: string, ...content: HTMLElement[]): HTMLElement {
  return h(
    'section',
    { class: 'paper' },
    h('a', { class: 'back', href: pageAddress('/') }, 'All plants'),
    h('p', { class: 'eyebrow' }, eyebrow),
    h('h1', {}, title),
    ...content,
  )
}
