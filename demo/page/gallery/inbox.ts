// Lists the events that are sent to the gallery's users.

import { pageAddress } from '../prefix.ts'

type Sent = Record<string, unknown>

const event = (name: string, properties: object): Sent => ({ name, properties })
/** The build names the files by their path on the host. */
const picture = (url: URL): string => pageAddress(url.pathname)

/** One event of each kind, oldest first: icons, an avatar, a photograph, actions, Markdown. */
export const FEW: Sent[] = [
  event('user.signed-up', {}),
  event('plant.restocked', { plant: 'Monstera', slug: 'monstera', stock: 12, waiting: 31 }),
  event('plant.thirsty', { plant: 'Rubber fig', slug: 'rubber-fig', moisture: 11, millilitres: 350 }),
  event('invoice.issued', {
    invoiceId: 'R-2099',
    total: 74,
    currency: 'EUR',
    dueOn: '1 November',
    daysOverdue: 12,
  }),
  event('order.shipped', { orderId: 'L-204101', summary: 'Snake plant', carrier: 'Green Post', total: 32 }),
  event('comment.created', {
    author: 'Ada from the greenhouse',
    plant: 'Sword fern',
    slug: 'sword-fern',
    text: 'Brown tips are thirst: put the pot in a bowl of water for an hour, and keep it away from the radiator.',
    avatar: picture(new URL('./ada.svg', import.meta.url)),
    photo: picture(new URL('./fern.svg', import.meta.url)),
  }),
  event('order.shipped', { orderId: 'L-204117', summary: 'Monstera, sword fern', carrier: 'Green Post', total: 74 }),
]

export const ARRIVAL: Sent[] = [
  event('invoice.issued', { invoiceId: 'R-2107', total: 1280, currency: 'EUR', dueOn: '14 December', daysOverdue: 0 }),
]

/** Creates events of different plants, so that nothing collapses. */
export const many = (count: number): Sent[] =>
  Array.from({ length: count }, (_, index) =>
    event('plant.thirsty', { plant: `Cutting ${index + 1}`, slug: `cutting-${index + 1}`, moisture: 9 + (index % 7) }),
  )
