// Shows ready and custom themes live on a real bell and panel, with CSS to copy.

import type { Choice } from './backend.ts'
import { backend, explain } from './backend.ts'
import { mountBell } from './bell.ts'
import { byId } from './dom.ts'
import { FEW } from './gallery/inbox.ts'
import { BASE } from './prefix.ts'
import { addControls } from './themes/controls.ts'
import { readTheme, type Settings, toCss } from './themes/css.ts'

/** A separate user who always has messages. */
const MODEL: Choice = { environment: 'dev', strategy: 'backendToken', userId: 'u_themes' }
const SCHEMES = { auto: 'light dark', light: 'light', dark: 'dark' } as const

async function start(): Promise<void> {
  const elements: HTMLElement[] = []
  let settings: Settings = new Map()

  const show = (): void => {
    for (const element of elements) {
      element.removeAttribute('style')
      for (const [name, value] of settings) element.style.setProperty(name, value)
    }
    byId('css').textContent = toCss(settings)
    // The last copy no longer equals the settings.
    byId('copied').textContent = ''
  }
  let asked = ''
  const chooseTheme = async (name: string): Promise<void> => {
    asked = name
    const css = name === 'standard' ? '' : await fetchTheme(name)
    // The user may choose the next theme before this one has arrived; the last choice wins.
    if (asked !== name) return
    settings = readTheme(css)
    controls.fill(settings)
    byId('banner').hidden = true
    show()
  }
  const controls = addControls(byId('controls'), {
    theme: (name) => void chooseTheme(name).catch(complainOf),
    scheme: (name) => document.documentElement.style.setProperty('color-scheme', SCHEMES[name]),
    changed(name, value) {
      if (value === null) settings.delete(name)
      else settings.set(name, value)
      show()
    },
  })
  addCopying()
  show()

  const config = await backend.config()
  if (!config.ok) throw new Error(explain(config as never))
  const report = { changed() {}, refused: ({ message }: { message: string }) => complain(message) }
  for (const place of ['bell', 'preview']) {
    const { element, use } = await mountBell(byId(place), config.body, place, report)
    if (place === 'preview') {
      element.setAttribute('mode', 'inline')
      element.addEventListener('nc-ready', () => element.unopened === 0 && fillInbox().catch(complainOf), {
        once: true,
      })
    }
    elements.push(element)
    use(MODEL)
  }
  show()
}

/** @throws Error with the backend's refusal */
async function fillInbox(): Promise<void> {
  const answer = await backend.trackBatch(
    MODEL.environment,
    FEW.map((event) => ({ ...event, userId: MODEL.userId })),
  )
  if (!answer.ok) throw new Error(explain(answer as never))
}

/** @throws when the server does not have the theme */
async function fetchTheme(name: string): Promise<string> {
  const answer = await fetch(`${BASE}/widget/themes/${name}.css`)
  if (!answer.ok) throw new Error(`The theme ${name} could not be read (${answer.status}).`)
  return answer.text()
}

function addCopying(): void {
  byId('copy').addEventListener('click', async () => {
    const done = (words: string) => {
      byId('copied').textContent = words
    }
    const text = byId('css').textContent ?? ''
    // Emptied first, so that a live region announces the same text again.
    done('')
    try {
      // A page without HTTPS has no clipboard, except on the own machine.
      await navigator.clipboard.writeText(text)
      done('Copied.')
    } catch {
      getSelection()?.selectAllChildren(byId('css'))
      done('It is selected: copy it with your keyboard.')
    }
  })
}

function complain(message: string): void {
  const banner = byId('banner')
  banner.textContent = message
  banner.hidden = false
}

function complainOf(error: unknown): void {
  complain(error instanceof Error ? error.message : String(error))
}

start().catch(complainOf)
