// `import '@notification-center/widget/define'`: registers the tag.

import { define } from './elements/define-element.ts'

define()
