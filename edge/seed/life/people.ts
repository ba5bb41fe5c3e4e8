// Makes the two hundred customers of the demo's month, and the three whom its shop shows.

import type { ProfileChange } from '../../domain/user.ts'
import type { Random } from '../../lib/random.ts'

export interface LifePerson {
  userId: string
  /** One of the three customers of the shop: what came lately is unread. */
  isShown: boolean
  profile: ProfileChange & { name: string; locale: string }
  /** The day of the month on which the person signed up; null: before it. */
  joinsOn: number | null
  /** How willingly the person reads, around 1. */
  interest: number
  /** Whether mails to the address come back. */
  bounces: boolean
}

/** The customers of `demo/backend/people.ts`. */
const SHOWN: readonly { userId: string; profile: LifePerson['profile'] }[] = [
  { userId: 'u_42', profile: { name: 'Mira Okafor', email: 'mira@example.com', locale: 'en' } },
  { userId: 'u_7', profile: { name: 'Jonas Weidt', email: 'jonas@example.com', locale: 'de' } },
  { userId: 'u_108', profile: { name: 'Aiko Tanaka', email: 'aiko@example.com', locale: 'en' } },
]

const FIRST_NAMES =
  'Ada Ben Carla Dario Elif Finn Greta Hugo Ines Jamal Kaya Leon Mara Nils Olga Pavel Rosa Samir Tilda Umut Vera Wim Yuki Zoe Bruno Noor'.split(
    ' ',
  )
const LAST_NAMES =
  'Albrecht Bakker Costa Dubois Ericsson Ferrari Graham Haddad Ivanova Jansen Kimura Lindner Moreau Novak Okoro Petrov Quinn Rossi Silva Tran Ueda Vogel Walsh Yilmaz'.split(
    ' ',
  )

/** The three read all but the latest. */
const KEEN = 1.5
/** Number of people beside the three. */
const OTHERS = 200
const FIRST_NUMBER = 200
const LOCALES = ['en', 'en', 'en', 'de', 'de', 'fr']

/** @param days The length of the month. */
export function makePeople(random: Random, days: number): LifePerson[] {
  const shown = SHOWN.map(
    (one): LifePerson => ({ ...one, isShown: true, joinsOn: null, interest: KEEN, bounces: false }),
  )
  const others = Array.from({ length: OTHERS }, (_, at): LifePerson => {
    const first = random.pick(FIRST_NAMES)
    const last = random.pick(LAST_NAMES)
    // Some have signed up with a telephone only.
    const hasMail = random.chance(0.93)
    const address = `${first}.${last}.${FIRST_NUMBER + at}@example.com`.toLowerCase()
    return {
      userId: `u_${FIRST_NUMBER + at}`,
      isShown: false,
      profile: { name: `${first} ${last}`, locale: random.pick(LOCALES), ...(hasMail && { email: address }) },
      joinsOn: random.chance(0.4) ? random.between(0, days - 2) : null,
      interest: 0.6 + random.next() * 0.6,
      bounces: random.chance(0.03),
    }
  })
  return [...shown, ...others]
}
