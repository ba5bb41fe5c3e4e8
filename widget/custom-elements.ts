// Describes the element as custom-elements.json of the package, for editors.

import {
  ATTRIBUTES,
  CSS_PROPERTIES,
  type Entry,
  EVENTS,
  METHODS,
  PARTS,
  PROPERTIES,
  SLOTS,
  type Typed,
} from './element-surface.ts'

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
