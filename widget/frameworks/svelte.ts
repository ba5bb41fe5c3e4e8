// `import '@notification-center/widget/svelte'`: types of the tag in Svelte 5's templates, which set properties themselves.

import type { HTMLAttributes } from 'svelte/elements'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterListeners,
  NotificationCenterProperties,
} from '../elements/tag.ts'

type Native = Omit<HTMLAttributes<NotificationCenter>, keyof NotificationCenterAttributes>

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'notification-center': Native &
      NotificationCenterAttributes &
      NotificationCenterProperties &
      NotificationCenterListeners
  }
}
