// Lists the three customers of the demo shop and a topic with two subscribers.

export interface Person {
  userId: string
  name: string
  email: string
  locale: string
  timeZone: string
  attributes: Record<string, string | number>
}

export const PEOPLE: readonly Person[] = [
  {
    userId: 'u_42',
    name: 'Mira Okafor',
    email: 'mira@example.com',
    locale: 'en',
    timeZone: 'Europe/London',
    attributes: { plan: 'pro', plants: 14 },
  },
  {
    userId: 'u_7',
    name: 'Jonas Weidt',
    email: 'jonas@example.com',
    locale: 'de',
    timeZone: 'Europe/Berlin',
    attributes: { plan: 'free', plants: 3 },
  },
  {
    userId: 'u_108',
    name: 'Aiko Tanaka',
    email: 'aiko@example.com',
    locale: 'en',
    timeZone: 'Asia/Tokyo',
    attributes: { plan: 'pro', plants: 41 },
  },
]

/** The customers who wait for the monstera: a topic, so that one event reaches both. */
export const WAITLIST = { topic: 'waitlist:monstera', subscribers: ['u_42', 'u_108'] }
