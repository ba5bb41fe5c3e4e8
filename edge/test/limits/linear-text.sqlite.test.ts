// Tests that what reads customers' text takes linear time: repeated pieces find the expressions that begin anew at each
// place. One event with such a text would stop the process for every tenant.

import { expect, test } from 'vitest'
import { toEventName } from '../../../contract/event-name.ts'
import { findInstant } from '../../../contract/instant.ts'
import { checkedLink, isWebAddress, safeLink } from '../../../contract/link.ts'
import {
  boundAddresses,
  findAddressFaults,
  hostOf,
  writeIntoAddress,
} from '../../campaign/expression/address-values.ts'
import { quoteAttributes } from '../../campaign/expression/html-attributes.ts'
import { hasPathsOfValues, keepOnSite } from '../../campaign/expression/html-links.ts'
import { boundStyles, findOutputInTag, maskLiquid } from '../../campaign/expression/html-places.ts'
import { breakLines, escapeText, unescapeHtml } from '../../campaign/expression/liquid-markup.ts'
import { checkMarkdownLinks, listDestinations } from '../../campaign/expression/markdown.ts'
import { listTemplatePaths } from '../../campaign/expression/read-paths.ts'
import { listParts } from '../../campaign/expression/template-parts.ts'
import { usedTextsIn } from '../../campaign/expression/used-texts.ts'
import { listVainReads } from '../../campaign/vain-reads.ts'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { fallbackTags } from '../../domain/tenant/locale-tags.ts'
import { rewriteAddresses } from '../../email/compose/links.ts'
import { removeUnsafe } from '../../email/compose/remove-unsafe.ts'
import { expandSelectors, findUnreadable } from '../../email/compose/style-selectors.ts'
import { withoutLiquid } from '../../flow/mail/warn-mails.ts'
import { headerText } from '../../lib/header-text.ts'
import { removeRefusedLinks } from '../../lib/html-addresses.ts'
import { scrub } from '../../lib/log.ts'
import { isAddress, isSendable, spellingsOf } from '../../lib/mail-address.ts'
import { decodeReferences, measureMarkup } from '../../lib/markup.ts'
import { parsePastedRequest } from '../../lib/pasted-request.ts'
import { createHideQueries, hideAllQueries } from '../../lib/untracked-links.ts'

const UNTRACKED = '<a data-nc-track="off" href="https://x.example/o?t=1">a</a>'

const givenTitle = (title: string) => ({
  trigger: { event: 'e', where: null },
  steps: [{ id: 'tell', type: 'inbox' as const, title }],
})

const READERS: Record<string, (text: string) => unknown> = {
  toEventName,
  checkedLink,
  safeLink,
  isWebAddress,
  writeIntoAddress: (text) => ['part', 'path', 'opaque', 'segment'].map((mode) => writeIntoAddress(text, mode)),
  boundAddresses: (text) => boundAddresses(text, 'html'),
  boundAddressesInMarkdown: (text) => boundAddresses(text, 'markdown'),
  boundAddress: (text) => boundAddresses(text, 'address'),
  hostOf,
  quoteAttributes,
  hasPathsOfValues,
  keepOnSite,
  boundStyles,
  findOutputInTag,
  maskLiquid,
  breakLines: (text) => breakLines(text, 'html'),
  escapeHtml: (text) => escapeText(text, 'html'),
  escapeMarkdown: (text) => escapeText(text, 'markdown'),
  unescapeHtml,
  checkMarkdownLinks,
  listDestinations,
  listParts,
  usedTextsIn,
  findTimeZone,
  fallbackTags,
  rewriteAddresses: (text) => rewriteAddresses(text, 'https://shop.example'),
  removeUnsafe: (text) => removeUnsafe(text, []),
  expandSelectors,
  findUnreadable,
  headerText,
  removeRefusedLinks: (text) => removeRefusedLinks(text, [], () => {}),
  findInstant,
  scrub,
  isAddress,
  isSendable,
  spellingsOf,
  decodeReferences,
  measureMarkup: (text) => measureMarkup(text, { selfCloses: false }),
  parsePastedRequest: (text) => parsePastedRequest(text, '/v1'),
  hideQueries: (text) => createHideQueries(UNTRACKED + text)?.(text),
  hideAllQueries,
  listVainReads: (text) => [...listVainReads(givenTitle(`{{ user.plan | date: "DD" }}${text}`))],
  withoutLiquid: (text) => withoutLiquid(`<p style="{{ a }}${text}`),
  listTemplatePaths: (text) => listTemplatePaths(`{% for a in event.b ${text} c %}{{ a.b }}{% endfor %}`),
  ofAssigned: (text) => findAddressFaults(`{% assign a = b ${text} c %}<a href="{{ a }}">x</a>`, 'html'),
  ofLoops: (text) => findAddressFaults(`{% for a in b ${text} c %}<a href="{{ a }}">x</a>{% endfor %}`, 'html'),
  ofEchoes: (text) => findAddressFaults(`{% assign a = b %}<a href="{% echo a ${text} c %}">x</a>`, 'html'),
  ofLines: (text) => findAddressFaults(`{% liquid\nassign a = b ${text} c\n%}<a href="{{ a }}">x</a>`, 'html'),
  ofOutputs: (text) => boundAddresses(`{% assign a = b %}<a href="{{ a ${text} | append: a }}">x</a>`, 'html'),
}

const CHARS = 24_000
const MARKS = [' ', '\n', '\t', ...'a1é.,-_:@/\\="\'&#?%!*`~|()[]<>{}']
const WORDS =
  '// &# ]( </ <!-- <a␠ <a␠href=" ␠href= https:// a@ {{ {% }} %} {{␠x␠}} {%␠if␠%} :is( <script> <style> srcset='
const PIECES = [...MARKS, ...WORDS.split(' ').map((word) => word.replaceAll('␠', ' '))]
/** Heads that a pattern may wait for. */
const HEADS = ['', 'a', '<a href=', '[a](', '{{ ', '<style>']
/** Of one call (ms of processor time); what is linear takes one or two, and what is quadratic hundreds. */
const LIMIT_MS = 100
/** The first reading may collect garbage and compile; what is quadratic is slow in each. */
const READINGS = 5

/** The least processor time of several readings (ms). */
function costOf(read: (text: string) => unknown, text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let reading = 0; reading < READINGS && least > LIMIT_MS; reading++) {
    const before = process.cpuUsage()
    try {
      read(text)
    } catch {
      // Refusing it is an answer.
    }
    least = Math.min(least, process.cpuUsage(before).user / 1000)
  }
  return least
}

test.each(Object.entries(READERS))('%s', (_name, read) => {
  const slow: string[] = []
  for (const head of HEADS) {
    for (const piece of PIECES) {
      const text = `${head}${piece.repeat(Math.ceil(CHARS / piece.length))}x`
      const ms = costOf(read, text)
      if (ms > LIMIT_MS) slow.push(`${JSON.stringify(head + piece)}: ${Math.round(ms)} ms`)
    }
  }
  expect(slow).toEqual([])
})
