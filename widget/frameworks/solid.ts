// `import '@notification-center/widget/solid'`: types of the tag in TSX of Solid: `prop:tokenProvider`, `on:nc-counts`.

import type { JSX } from 'solid-js'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterEventMap,
  NotificationCenterProperties,
} from '../elements/tag.ts'

type Native = Omit<JSX.HTMLAttributes<NotificationCenter>, keyof NotificationCenterAttributes>

type Properties = {
  [Name in keyof NotificationCenterProperties as `prop:${Name}`]?: NotificationCenterProperties[Name]
}

type Listeners = {
  [Name in keyof NotificationCenterEventMap as `on:${Name}`]?: (event: NotificationCenterEventMap[Name]) => void
}

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'notification-center': Native & NotificationCenterAttributes & Properties & Listeners
    }
  }
}
