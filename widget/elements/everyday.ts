// What every session needs once the badge is painted, as one file: the inbox with its socket, and the panel (decision 0182).

export { createInboxCore } from '../inbox/inbox-core.ts'
export { createPanel } from './panel/panel.ts'
