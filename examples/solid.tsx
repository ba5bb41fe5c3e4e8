/** @jsxImportSource solid-js */
// Shows the bell with Solid: properties by `prop:`, events by `on:`.

import type { NotificationCenter } from '@notification-center/widget'
import '@notification-center/widget/define'
import '@notification-center/widget/solid'
import { createSignal } from 'solid-js'

async function provide(): Promise<{ userId: string; token: string }> {
  const response = await fetch('/notification-token', { method: 'POST' })
  return response.json()
}

export function Header(props: { apiKey: string }) {
  let center: NotificationCenter | undefined
  const [unread, setUnread] = createSignal(0)
  return (
    <header>
      <button type="button" onClick={() => center?.show()}>
        {unread()} unread
      </button>
      <notification-center
        ref={(element: NotificationCenter) => {
          center = element
        }}
        api-key={props.apiKey}
        base-url="https://notify.example.com"
        theme="auto"
        prop:tokenProvider={provide}
        on:nc-counts={(event) => setUnread(event.unread)}
      />
    </header>
  )
}
