// `import '@notification-center/widget/react'`: types of the tag in TSX of React 19, which sets properties and listens to events itself.

import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterListeners,
  NotificationCenterProperties,
} from '../elements/tag.ts'

type Tag = DetailedHTMLProps<
  Omit<HTMLAttributes<NotificationCenter>, keyof NotificationCenterAttributes>,
  NotificationCenter
> &
  NotificationCenterAttributes &
  NotificationCenterProperties &
  NotificationCenterListeners

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'notification-center': Tag
    }
  }
}
