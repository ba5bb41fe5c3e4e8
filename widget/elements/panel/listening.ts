// Listens to events while a host is in the page.

import type { ReactiveControllerHost } from 'lit'

type Listener = [target: EventTarget, type: string, act: (event: never) => void, options?: AddEventListenerOptions]

/** @param listeners asked each time the host comes into the page */
export function listenInPage(host: ReactiveControllerHost, listeners: () => Listener[]): void {
  let ends = new AbortController()
  host.addController({
    hostConnected: () => {
      ends = new AbortController()
      for (const [target, type, act, options] of listeners())
        target.addEventListener(type, act as EventListener, { ...options, signal: ends.signal })
    },
    hostDisconnected: () => ends.abort(),
  })
}
