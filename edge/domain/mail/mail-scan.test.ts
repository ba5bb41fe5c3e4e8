// Tests which fetches of a mail are those of a program.

import { expect, test } from 'vitest'
import { findScan, type MailFetch } from './mail-scan.ts'

const ARRIVED = 1_000_000
/** Writes `pixel 0 | a 400 one`: what, ms after the arrival, and the network. */
const read = (text: string) =>
  text.split(' | ').map((one): MailFetch => {
    const [what = '', at, network = 'home'] = one.split(' ')
    return { at: ARRIVED + Number(at), link: what === 'pixel' ? null : what, network: network === '-' ? null : network }
  })

test.each([
  [
    'five links and the pixel by two networks on arrival',
    'pixel 100 | a 600 x | b 1100 y | c 1600 x | d 2200 y | e 2900 x',
  ],
  ['the pixel last', 'a 600 x | b 1100 y | c 1600 x | d 2200 y | e 2800 x | pixel 2900'],
  ['by one network', 'pixel 100 | a 700 | b 1400 | c 2100'],
  ['where the networks are not known', 'pixel 0 - | a 700 - | b 1400 - | c 2100 -'],
  ['both links of a short mail, without its pixel', 'a 300 | b 900'],
  ['the only link of a mail by two networks, without its pixel', 'a 300 x | a 900 y'],
  ['before the acceptance is recorded', 'a -900 | b -300'],
  ['three links within a second, an hour later', 'pixel 3500000 | a 3600000 | b 3600400 | c 3600900'],
  ['slower, by two networks, an hour later', 'pixel 3500000 | a 3600000 x | b 3601500 y | c 3603000 x'],
  ['slower, in a mail that was never displayed', 'a 3600000 | b 3601500 | c 3603000'],
])('a program: %s', (_, text) => {
  const fetches = read(text)
  const last = fetches.at(-1) as MailFetch
  expect(findScan(fetches, last, ARRIVED)?.to).toBe(last.at)
})

test.each([
  ['opens', 'pixel 300'],
  ['clicks at once, without pictures', 'a 200'],
  ['clicks one link twice', 'a 200 | a 500'],
  ['opens and clicks at once', 'pixel 200 | a 300'],
  ['opens by a proxy of the mail program, and clicks', 'pixel 200 proxy | a 300'],
  ['opens and clicks two links within 20 seconds', 'pixel 4000 | a 9000 | b 18000'],
  ['opens and clicks two links in a hurry', 'pixel 500 | a 1500 | b 2500'],
  ['clicks two links ten minutes later', 'a 600000 | b 601000'],
  ['opens three links one after another', 'pixel 60000 | a 65000 | b 66500 | c 68000'],
  ['opens at home and clicks at work', 'pixel 3600000 | a 3700000 home | b 9000000 work'],
  ['clicks ten minutes after a program', 'pixel 100 | a 200 x | b 300 y | c 400 x | a 600000 x'],
])('a person: %s', (_, text) => {
  const fetches = read(text)
  expect(findScan(fetches, fetches.at(-1) as MailFetch, ARRIVED)).toBeUndefined()
})

test('a series has the fetches around one that is reported late', () => {
  const fetches = read('pixel 0 | a 500 | b 1000 | c 1400 | a 600000')
  expect(findScan(fetches, fetches[2] as MailFetch, ARRIVED)).toEqual({ from: ARRIVED, to: ARRIVED + 1400 })
})
