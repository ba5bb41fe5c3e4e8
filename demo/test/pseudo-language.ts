// A language that nobody speaks: Japanese, with each phrase in brackets. What is read or heard in Latin letters outside of them was not asked of the words.

import type { Page } from 'playwright-core'

/** The locale that it stands in for. */
export const PSEUDO = 'ja'

const bracketed = (phrase: unknown): unknown =>
  typeof phrase === 'string'
    ? `⟦${phrase}⟧`
    : Object.fromEntries(Object.entries(phrase as object).map(([form, text]) => [form, `⟦${text}⟧`]))
/** Before the page is loaded: it speaks this, and keeps what its messages say themselves. */
export async function teach(page: Page): Promise<void> {
  await page.route(`**/lang-${PSEUDO}.js`, async (route) => {
    const response = await route.fetch()
    const { words } = (await import(`data:text/javascript,${encodeURIComponent(await response.text())}`)) as {
      words: Record<string, unknown>
    }
    const pseudo = Object.fromEntries(Object.entries(words).map(([key, phrase]) => [key, bracketed(phrase)]))
    await route.fulfill({ response, body: `export const words = ${JSON.stringify(pseudo)}` })
  })
  await page.addInitScript(keepOwnWords)
  await page.addInitScript(waitForWords)
}

/** Runs in the page: nobody does anything before the language is there, as nobody has hands that quick. */
function waitForWords(): void {
  const isSpoken = (center: Element): boolean => center.shadowRoot?.querySelector('[aria-label*="⟦"]') != null
  const hold = (event: Event): void => {
    const center = event.target as Element
    if (isSpoken(center)) return
    event.stopImmediatePropagation()
    const look = (): unknown =>
      isSpoken(center) ? center.dispatchEvent(new Event('nc-ready', { bubbles: true })) : setTimeout(look, 10)
    look()
  }
  document.addEventListener('nc-ready', hold, true)
}

/** Runs in the page: titles, actions and categories are the site's. */
function keepOwnWords(): void {
  const own = new Set<string>()
  Reflect.set(globalThis, 'ownWords', own)
  const keep = (messages: { title: string; category: string | null; actions: { label: string }[] }[]): void => {
    for (const { title, category, actions } of messages) {
      for (const word of [title, category, ...actions.map(({ label }) => label)]) if (word) own.add(word)
    }
  }
  for (const type of ['nc-ready', 'nc-counts', 'nc-arrive']) {
    document.addEventListener(type, ({ target }) => keep(Reflect.get(target as object, 'messages')))
  }
  document.addEventListener('nc-arrive', (event) => keep(Reflect.get(event, 'messages')))
  // Categories have names that the site gave them.
  const plain = globalThis.fetch
  globalThis.fetch = async (...asked) => {
    const response = await plain(...asked)
    if (String(asked[0]).includes('/v1/inbox/preferences') && response.ok) {
      const { categories } = (await response.clone().json()) as { categories: { name: string }[] }
      for (const { name } of categories) own.add(name)
    }
    return response
  }
}

/** Runs in the page: what is read or heard in the element and is not of the language. */
export function readWords(): string[] {
  const shadow = document.querySelector('notification-center')?.shadowRoot
  const own = [...(Reflect.get(globalThis, 'ownWords') as Set<string>)].flatMap((word) => {
    // A key that nobody named is shown as its words.
    const read = word.replace(/[-_.]+/g, ' ')
    return [word, read.charAt(0).toLocaleUpperCase() + read.slice(1)]
  })
  own.sort((a, b) => b.length - a.length)
  const names = 'aria-label title placeholder alt aria-description aria-roledescription aria-valuetext label'.split(' ')
  const heard = [...(shadow?.querySelectorAll('*') ?? [])].flatMap((node) => {
    // What a message says, keys of the keyboard, codes, and names of time zones are the same in all languages.
    if (node.closest('.excerpt, .prose, kbd, .code, option') !== null) return []
    const texts = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent ?? '')
    return [...texts, ...names.map((name) => node.getAttribute(name) ?? '')]
  })
  const without = (text: string): string =>
    own.reduce((rest, word) => rest.replaceAll(word, ''), text).replace(/⟦[^⟧]*⟧/g, '')
  if (!heard.some((text) => text.includes('⟦'))) return ['The language is not spoken.']
  return heard.filter((text) => /\p{Script=Latin}{2}/u.test(without(text)))
}
