// The surface of the element as data: what custom-elements.json of the package says, for editors and documentation.
// A test compares every word of it with the element, its styles and docs/widget.md.

interface Entry {
  name: string
  says: string
}

/** A thing with a type, which is written as TypeScript. */
interface Typed extends Entry {
  type: string
}

/** `property` is absent where an attribute has none. */
export const ATTRIBUTES: (Typed & { property?: string; default?: string })[] = [
  { name: 'api-key', property: 'apiKey', type: 'string', says: 'Front API Key. Required' },
  {
    name: 'user-id',
    property: 'userId',
    type: 'string',
    says: 'The user; without it the inbox belongs to the token’s `sub`',
  },
  {
    name: 'token',
    property: 'token',
    type: 'string',
    says: 'What the backend minted. The property is never written back to the page',
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
    says: 'A bell with a panel, or always shown',
  },
  { name: 'open', property: 'open', type: 'boolean', says: 'Whether the panel is open' },
  {
    name: 'locale',
    property: 'locale',
    type: 'string',
    says: 'A language tag; default the nearest `lang`, then the browser’s',
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
    says: 'Without it the element follows the page’s `color-scheme`',
  },
  {
    name: 'toasts',
    property: 'toasts',
    type: "'' | 'all'",
    says: 'Toasts for `high` and `urgent` arrivals while the panel is closed; `all` for every one',
  },
  { name: 'sound', property: 'sound', type: 'boolean', says: 'Two soft notes on an arrival' },
  {
    name: 'desktop',
    property: 'desktop',
    type: 'boolean',
    says: 'Notifications of the browser while the page is hidden',
  },
  {
    name: 'debug',
    property: 'debug',
    type: 'boolean',
    says: 'The element explains itself in a panel: what is wrong, and what to do',
  },
]

export const PROPERTIES: (Typed & { readonly?: boolean })[] = [
  { name: 'tokenProvider', type: 'TokenProvider | null', says: 'Asked instead of `token`, and again before it ends' },
  { name: 'renderRow', type: '((message: InboxMessage) => Node) | undefined', says: 'Makes the inside of a row' },
  { name: 'texts', type: 'Translations | undefined', says: 'Translations of the page’s own, by key' },
  { name: 'messages', type: 'InboxMessage[]', readonly: true, says: 'The loaded messages of the inbox, newest first' },
  { name: 'unread', type: 'number', readonly: true, says: 'The number on the badge' },
  { name: 'unopened', type: 'number', readonly: true, says: 'The number on “Unread”' },
  {
    name: 'state',
    type: "'signed-out' | 'loading' | 'ready' | 'offline' | 'error'",
    readonly: true,
    says: 'How the element stands to the service',
  },
]

export const METHODS: Typed[] = [
  { name: 'show', type: 'void', says: 'Opens the panel and gives it the focus' },
  { name: 'hide', type: 'void', says: 'Closes the panel' },
  { name: 'toggle', type: 'void', says: 'Opens or closes the panel' },
  { name: 'refresh', type: 'Promise<void>', says: 'Reads anew; after a refusal, signs in again' },
  { name: 'markAllRead', type: 'Promise<void>', says: 'Takes the dot from everything in the list' },
  {
    name: 'signOut',
    type: 'Promise<void>',
    says: 'Ends the session on the server and in all tabs, and wipes what was stored',
  },
]

export const EVENTS: Typed[] = [
  { name: 'nc-ready', type: 'NcReadyEvent', says: 'Signed in, and the inbox is there' },
  { name: 'nc-counts', type: 'NcCountsEvent', says: 'The numbers changed: `unread`, `unopened`' },
  {
    name: 'nc-arrive',
    type: 'NcArriveEvent',
    says: 'Messages came in while the page was there: `messages`, oldest first',
  },
  { name: 'nc-show', type: 'NcShowEvent', says: 'The panel opens' },
  { name: 'nc-hide', type: 'NcHideEvent', says: 'The panel closes' },
  { name: 'nc-open-message', type: 'NcOpenMessageEvent', says: 'A row is opened: `message`. Cancelable' },
  { name: 'nc-follow-link', type: 'NcFollowLinkEvent', says: 'A link is followed: `message`, `link`. Cancelable' },
  { name: 'nc-action', type: 'NcActionEvent', says: 'An action is pressed: `message`, `action`. Cancelable' },
  { name: 'nc-error', type: 'NcErrorEvent', says: 'Refused or out of reach: `code`, `correlationId`' },
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
  { name: '--nc-font-size', says: 'Text size' },
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
  { name: '--nc-bell-color', says: 'Its lines' },
  { name: '--nc-bell-backdrop', says: 'What lies behind the bell: the ring around the badge' },
  { name: '--nc-panel-width', says: 'The panel’s width' },
  { name: '--nc-panel-height', says: 'The panel’s height' },
  { name: '--nc-panel-max-height', says: 'At most so high' },
]

const FILE = 'index.js'
const described = ({ name, says }: Entry) => ({ name, description: says })

/** custom-elements.json (schema 1.0.0) of the package. */
export function describeElement() {
  const fields: (Typed & { attribute?: string; readonly?: boolean })[] = [
    ...ATTRIBUTES.flatMap(({ name, property, type, says }) =>
      property === undefined ? [] : [{ name: property, type, attribute: name, says }],
    ),
    ...PROPERTIES,
  ]
  const declaration = {
    kind: 'class',
    customElement: true,
    name: 'NotificationCenter',
    tagName: 'notification-center',
    superclass: { name: 'LitElement', package: 'lit' },
    description: 'A bell with a badge, and the user’s notifications behind it.',
    attributes: ATTRIBUTES.map(({ name, property, type, default: standard, says }) => ({
      ...described({ name, says }),
      type: { text: type },
      ...(standard && { default: `'${standard}'` }),
      ...(property && { fieldName: property }),
    })),
    members: [
      ...fields.map(({ name, type, attribute, readonly, says }) => ({
        kind: 'field',
        ...described({ name, says }),
        type: { text: type },
        ...(attribute && { attribute }),
        ...(readonly && { readonly }),
      })),
      ...METHODS.map(({ name, type, says }) => ({
        kind: 'method',
        ...described({ name, says }),
        return: { type: { text: type } },
      })),
    ],
    events: EVENTS.map(({ name, type, says }) => ({ ...described({ name, says }), type: { text: type } })),
    slots: SLOTS.map(described),
    cssParts: PARTS.map(described),
    cssProperties: CSS_PROPERTIES.map(described),
  }
  const exported = (name: string) => ({ kind: 'js', name, declaration: { name, module: FILE } })
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: FILE,
        declarations: [
          declaration,
          ...EVENTS.map(({ type, says }) => ({
            kind: 'class',
            name: type,
            superclass: { name: 'Event' },
            description: says,
          })),
        ],
        exports: ['NotificationCenter', ...EVENTS.map(({ type }) => type)].map(exported),
      },
      {
        kind: 'javascript-module',
        path: 'define.js',
        exports: [
          {
            kind: 'custom-element-definition',
            name: 'notification-center',
            declaration: { name: 'NotificationCenter', module: FILE },
          },
        ],
      },
    ],
  }
}
