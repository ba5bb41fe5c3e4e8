// `import '@notification-center/widget/define'`: registers the tag (contract section 13).

import { define } from './elements/define-element.ts'

define()
