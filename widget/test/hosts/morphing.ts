// The libraries that change a page into what the server rendered anew, each with the script that a site of theirs has.

import type { Server } from 'node:http'
import WebSocket from 'ws'

export interface MorphingHost {
  /** Its script sets `rerender()`, which asks the server for the page and changes this one into it. */
  script: string
  /** What it wants in the head. */
  head?: string
  /** Attributes of the body. */
  body?: string
  /** Around what the server renders. */
  around?: [before: string, after: string]
}

const FETCHED =
  'const page = async () => new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html")'
const LIVE = '<div id="phx-1" data-phx-main data-phx-session="s" data-phx-static="t">'

export const MORPHING: Record<string, MorphingHost> = {
  Turbo: {
    script: `import * as Turbo from '@hotwired/turbo'
      globalThis.Turbo = Turbo
      globalThis.rerender = () => Turbo.session.refresh(location.href)`,
    head: '<meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">',
  },
  idiomorph: {
    script: `import { Idiomorph } from 'idiomorph'
      ${FETCHED}
      globalThis.rerender = async () => Idiomorph.morph(document.body, (await page()).body.innerHTML, { morphStyle: 'innerHTML' })`,
  },
  Alpine: {
    script: `import Alpine from 'alpinejs'
      import morph from '@alpinejs/morph'
      Alpine.plugin(morph)
      Alpine.start()
      ${FETCHED}
      globalThis.rerender = async () => Alpine.morph(document.querySelector('main'), (await page()).querySelector('main').outerHTML)`,
    around: ['<main x-data="{ n: 1 }">', '</main>'],
  },
  // Livewire is no package of npm: this is the call that its `morph.js` makes, with its options.
  Livewire: {
    script: `import Alpine from 'alpinejs'
      import morph from '@alpinejs/morph'
      Alpine.plugin(morph)
      Alpine.start()
      ${FETCHED}
      globalThis.rerender = async () => Alpine.morph(document.querySelector('main'), (await page()).querySelector('main').outerHTML, {
        key: (element) => element.getAttribute?.('wire:key') ?? element.getAttribute?.('wire:id') ?? element.id,
        lookahead: false,
      })`,
    around: ['<main x-data wire:id="a">', '</main>'],
  },
  LiveView: {
    script: `import { Socket } from 'phoenix'
      import { LiveSocket } from 'phoenix_live_view'
      const live = new LiveSocket('/live', Socket, {})
      live.connect()
      globalThis.rerender = () => fetch('/push')`,
    around: [LIVE, '</div>'],
  },
  htmx: {
    script: `import htmx from 'htmx.org'
      import 'idiomorph/htmx'
      globalThis.htmx = htmx
      globalThis.rerender = () => htmx.ajax('GET', location.href, { target: 'body', swap: 'morph:innerHTML' })`,
    body: 'hx-ext="morph"',
  },
}

/** The server's side of LiveView: the answer to a join, and a difference whenever `push` is called. */
export function answerLiveView(server: Server, render: () => string): { push: () => void } {
  const sockets = new WebSocket.Server({ server })
  let push = (): void => {}
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const [join, ref, topic, event] = JSON.parse(String(data))
      const response = event === 'phx_join' ? { rendered: { 0: render(), s: ['', ''] } } : {}
      socket.send(JSON.stringify([join, ref, topic, 'phx_reply', { status: 'ok', response }]))
      if (String(topic).startsWith('lv:') && event === 'phx_join')
        push = () => socket.send(JSON.stringify([null, null, topic, 'diff', { 0: render() }]))
    })
  })
  return { push: () => push() }
}
