// Runs as a sandbox: evaluates campaigns, checks layouts and composes mails for its parent (docs/decisions/0041-sandbox.md).

import { createMailComposer } from '../email/compose/compose-mail.ts'
import { createRenderLayout, findLayoutFault } from '../flow/mail/render-layout.ts'
import { createMarkingCompose } from './composer.ts'
import { createPerformTask } from './perform-task.ts'
import { serveTasks } from './serve-tasks.ts'

const renderLayout = createRenderLayout()
const compose = createMarkingCompose((links, publicUrl) => createMailComposer({ publicUrl, links, renderLayout }))
serveTasks(createPerformTask({ compose, findLayoutFault }))
