// Lists the surface of the element as data, for custom-elements.json and docs/widget.md.
// A test compares every name with the element and its styles.

export interface Entry {
  name: string
  says: string
}

/** A thing with a type, which is written as TypeScript. */
export interface Typed extends Entry {
  type: string
}

/** `property` is absent where an attribute has none. */
export const ATTRIBUTES: (Typed & { property?: string; default?: string })[] = [
  { name: 'api-key', property: 'apiKey', type: 'string', says: 'Front API Key. Required' },
  {
    name: 'user-id',
    property: 'userId',
    type: 'string',
    says: 'The user. Required with `backendToken` and a `token`; otherwise the inbox belongs to the token’s `sub`',
  },
  {
    name: 'token',
    property: 'token',
    type: 'string',
    says: 'What your backend minted. Another one of the same user is kept for the next sign-in',
  },
  {
    name: 'auth-type',
    property: 'authType',
    type: "'backendToken' | 'jwt' | 'signedJwt'",
    default: 'backendToken',
    says: 'What `token` is',
  },
  { name: 'base-url', property: 'baseUrl', type: 'string', says: 'The server; default where the script came from' },
  {
    name: 'mode',
    property: 'mode',
    type: "'popover' | 'inline'",
    default: 'popover',
    says: '`popover`: a bell with a panel; `inline`: always shown, no bell',
  },
  {
    name: 'open',
    property: 'open',
    type: 'boolean',
    says: 'Whether the panel is open; reflected, as `open="shown"` when the element opened it. No other property is written to the tag',
  },
  {
    name: 'locale',
    property: 'locale',
    type: 'string',
    says: 'Language of words, plurals, numbers and times; default the nearest `lang`, then the browser’s. A change applies with the next opening or arrival. The attribute also sets the direction',
  },
  {
    name: 'dir',
    type: "'ltr' | 'rtl' | 'auto'",
    says: 'Default: the page’s direction; with `locale`, that of its language',
  },
  {
    name: 'theme',
    property: 'theme',
    type: "'auto' | 'light' | 'dark'",
    says: 'Without it the element follows the page’s `color-scheme`; `auto` follows the system',
  },
  {
    name: 'toasts',
    property: 'toasts',
    type: "'' | 'all'",
    says: 'For `high` and `urgent` arrivals while the panel is closed; `all` for every one. With the first action; gone when the message expires',
  },
  { name: 'sound', property: 'sound', type: 'boolean', says: 'Two soft notes on an arrival, in one of all open tabs' },
  {
    name: 'desktop',
    property: 'desktop',
    type: 'boolean',
    says: 'Notifications of the browser while the page is hidden. Its permission is asked for on a press of the bell alone. On Android a service worker of the page shows them; on iOS only installed pages have them',
  },
  {
    name: 'debug',
    property: 'debug',
    type: 'boolean',
    says: 'The element explains itself in a panel: what is wrong, and what to do',
  },
]

export const PROPERTIES: (Typed & { readonly?: boolean })[] = [
  {
    name: 'tokenProvider',
    type: 'TokenProvider | null',
    says: '`async ({ reason }) => ({ userId?, token })`, asked instead of `token`; `reason` is `start`, `expiring` or `refused`',
  },
  {
    name: 'renderRow',
    type: '((message: InboxMessage) => Node) | undefined',
    says: 'Makes the inside of a row; dot, keys and quick actions stay. Asked once for a message, and again when it changes; a node with the focus is not replaced. Another function draws all rows anew. Where it throws or answers nothing, the row is ours',
  },
  {
    name: 'texts',
    type: 'Translations | undefined',
    says: 'Words of your own in place of ours, by key: `{ bell: { one: "{count} update", other: "{count} updates" } }`, with the plural forms of `Intl.PluralRules`',
  },
  {
    name: 'messages',
    type: 'InboxMessage[]',
    readonly: true,
    says: 'The loaded messages, newest first. Messages, here and in events, are frozen, and lack characters that turn the direction of text',
  },
  { name: 'unread', type: 'number', readonly: true, says: 'The number on the badge' },
  { name: 'unopened', type: 'number', readonly: true, says: 'The number on “Unread”' },
  {
    name: 'state',
    type: "'signed-out' | 'loading' | 'ready' | 'offline' | 'error'",
    readonly: true,
    says: '`offline`: the service is out of reach; `error`: it refused, and the panel shows the code',
  },
]

export const METHODS: Typed[] = [
  { name: 'show', type: 'void', says: 'Opens the panel and gives it the focus; not in `inline` mode' },
  { name: 'hide', type: 'void', says: 'Closes the panel; not in `inline` mode' },
  { name: 'toggle', type: 'void', says: 'Opens or closes the panel; not in `inline` mode' },
  {
    name: 'refresh',
    type: 'Promise<void>',
    says: 'Reads anew; after a refusal, signs in again. Never rejects: what came of it is in `state` and `nc-error`',
  },
  {
    name: 'markAllRead',
    type: 'Promise<void>',
    says: 'Takes the dot from everything in the list, at once. When that fails, the dots come back, `nc-error` is fired, and the promise rejects with its `code`',
  },
  {
    name: 'signOut',
    type: 'Promise<void>',
    says: 'Ends the session on the server and in all tabs, and wipes what was stored, until a credential is set anew. Never rejects; a navigation may follow at once',
  },
]

export const EVENTS: Typed[] = [
  { name: 'nc-ready', type: 'NcReadyEvent', says: 'Signed in, and the inbox is there' },
  {
    name: 'nc-counts',
    type: 'NcCountsEvent',
    says: 'The numbers changed: `unread`, `unopened`. Those of the last visit come at once; all again just before `nc-ready`',
  },
  {
    name: 'nc-arrive',
    type: 'NcArriveEvent',
    says: 'Messages came in while the page was there: `messages`, oldest first',
  },
  { name: 'nc-show', type: 'NcShowEvent', says: 'The panel opens' },
  { name: 'nc-hide', type: 'NcHideEvent', says: 'The panel closes' },
  {
    name: 'nc-open-message',
    type: 'NcOpenMessageEvent',
    says: 'A row is opened: `message`. Prevent it to show the message yourself',
  },
  {
    name: 'nc-follow-link',
    type: 'NcFollowLinkEvent',
    says: 'A link is followed: `message`, `link`. Prevent it to navigate yourself',
  },
  {
    name: 'nc-action',
    type: 'NcActionEvent',
    says: 'An action is pressed: `message`, `action`. Prevent it to keep its link from being followed',
  },
  {
    name: 'nc-error',
    type: 'NcErrorEvent',
    says: 'Refused, or out of reach: `code`, `correlationId`; once each time that `state` becomes `offline`',
  },
]

export const SLOTS: Entry[] = [
  { name: 'bell', says: 'In place of the button; pressing it toggles the panel' },
  { name: 'header', says: 'Beside the panel’s title' },
  { name: 'empty', says: 'In place of the picture of an empty list' },
  { name: 'footer', says: 'Below the list' },
]

export const PARTS: Entry[] = [
  { name: 'bell', says: 'The button' },
  { name: 'badge', says: 'The number on it' },
  { name: 'panel', says: 'What the button opens' },
  { name: 'header', says: 'The panel’s head' },
  { name: 'tabs', says: 'The row of tabs' },
  { name: 'list', says: 'The messages' },
  { name: 'row', says: 'One message' },
  { name: 'dot', says: 'The mark of one that was not opened' },
  { name: 'title', says: 'A message’s title' },
  { name: 'body', says: 'A message’s text' },
  { name: 'time', says: 'When it came' },
  { name: 'actions', says: 'A message’s buttons' },
  { name: 'detail', says: 'One message, whole' },
  { name: 'empty', says: 'What stands in an empty list' },
  { name: 'error', says: 'What was refused, with “Try again”' },
  { name: 'offline', says: 'The bar while the service is out of reach' },
  { name: 'toast', says: 'An arrival beside the page' },
]

export const CSS_PROPERTIES: Entry[] = [
  { name: '--nc-font', says: 'Font family' },
  {
    name: '--nc-font-size',
    says: 'Text size; default the page’s, never below the browser’s setting, at most twice that',
  },
  { name: '--nc-accent', says: 'Links, focus, primary buttons' },
  { name: '--nc-on-accent', says: 'Text on the accent' },
  { name: '--nc-surface', says: 'The panel' },
  { name: '--nc-raised', says: 'What lies on the panel' },
  { name: '--nc-text', says: 'Text' },
  { name: '--nc-muted', says: 'Lesser text' },
  { name: '--nc-line', says: 'Lines' },
  { name: '--nc-badge', says: 'The badge' },
  { name: '--nc-on-badge', says: 'Its number' },
  { name: '--nc-dot', says: 'The dot of a row' },
  { name: '--nc-radius', says: 'Corners of the panel' },
  { name: '--nc-shadow', says: 'Shadow of the panel' },
  { name: '--nc-bell-size', says: 'The bell' },
  { name: '--nc-bell-color', says: 'Its lines; default the colour of the text around it' },
  { name: '--nc-bell-backdrop', says: 'What lies behind the bell: the ring around the badge' },
  { name: '--nc-panel-width', says: 'The panel’s width' },
  { name: '--nc-panel-height', says: 'The panel’s height; one with few messages is lower' },
  { name: '--nc-panel-max-height', says: 'At most so high' },
]
