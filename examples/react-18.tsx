/** @jsxImportSource react */
// Shows the bell in a header with React 18, and the number in the page's own text.

import type { NcArriveEvent, NotificationCenter } from '@notification-center/widget'
import '@notification-center/widget/define'
import { NotificationCenterTag } from '@notification-center/widget/react-18'
import { useRef, useState } from 'react'

async function provide(): Promise<{ userId: string; token: string }> {
  const response = await fetch('/notification-token', { method: 'POST' })
  return response.json()
}

export function Header({ apiKey }: { apiKey: string }) {
  const center = useRef<NotificationCenter>(null)
  const [unread, setUnread] = useState(0)
  return (
    <header>
      <button type="button" onClick={() => center.current?.show()}>
        {unread} unread
      </button>
      <NotificationCenterTag
        ref={center}
        api-key={apiKey}
        base-url="https://notify.example.com"
        theme="auto"
        toasts="all"
        sound
        tokenProvider={provide}
        onnc-counts={(event) => setUnread(event.unread)}
        onnc-arrive={(event: NcArriveEvent) => console.log(event.messages[0]?.title)}
        onnc-follow-link={(event) => {
          if (event.link.startsWith('/')) event.preventDefault()
        }}
      />
    </header>
  )
}
