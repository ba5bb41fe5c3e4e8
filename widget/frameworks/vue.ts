// `import '@notification-center/widget/vue'`: types of the tag in Vue's templates: `:tokenProvider.prop`, `@nc-counts`.

import type { EmitFn, HTMLAttributes, PublicProps } from 'vue'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterEventMap,
  NotificationCenterProperties,
} from '../elements/tag.ts'

type Native = Omit<HTMLAttributes, keyof NotificationCenterAttributes>

type Emits = {
  [Name in keyof NotificationCenterEventMap]: (event: NotificationCenterEventMap[Name]) => void
}

type Tag = new () => NotificationCenter & {
  $props: Native & NotificationCenterAttributes & NotificationCenterProperties & PublicProps
  $emit: EmitFn<Emits>
}

declare module 'vue' {
  interface GlobalComponents {
    'notification-center': Tag
  }
}
