// The part that every session loads once the badge is painted: the inbox and the panel.

export * from './elements/panel/create-panel.ts'
export * from './inbox/inbox-core.ts'
