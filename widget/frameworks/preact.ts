// `import '@notification-center/widget/preact'`: types of the tag in TSX of Preact.

import type { ClassAttributes, HTMLAttributes } from 'preact'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterListeners,
  NotificationCenterProperties,
} from '../elements/tag.ts'

type Native = Omit<HTMLAttributes<NotificationCenter>, keyof NotificationCenterAttributes> &
  ClassAttributes<NotificationCenter>

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'notification-center': Native &
        NotificationCenterAttributes &
        NotificationCenterProperties &
        NotificationCenterListeners
    }
  }
}
