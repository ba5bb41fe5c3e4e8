// The element's attributes and the properties that mirror them (contract section 13).

/** Property by attribute, for those whose value is the attribute's text. `token` is apart: it is never written to the page. */
const TEXT_ATTRIBUTES = {
  'api-key': 'apiKey',
  'user-id': 'userId',
  'auth-type': 'authType',
  'base-url': 'baseUrl',
  mode: 'mode',
  locale: 'locale',
  theme: 'theme',
  toasts: 'toasts',
} as const

const FLAG_ATTRIBUTES = ['open', 'sound', 'desktop', 'debug'] as const

export const OBSERVED: string[] = [...Object.keys(TEXT_ATTRIBUTES), ...FLAG_ATTRIBUTES, 'token', 'dir']

const PROPERTIES = [
  ...Object.values(TEXT_ATTRIBUTES),
  ...FLAG_ATTRIBUTES,
  'token',
  'tokenProvider',
  'renderRow',
  'texts',
]

/** Defines the mirroring accessors on the class; called once, when it is made. */
export function mirrorAttributes(prototype: HTMLElement): void {
  for (const [attribute, property] of Object.entries(TEXT_ATTRIBUTES)) {
    Object.defineProperty(prototype, property, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement): string | null {
        return this.getAttribute(attribute)
      },
      set(this: HTMLElement, value: unknown) {
        if (value === null || value === undefined || value === false) this.removeAttribute(attribute)
        else this.setAttribute(attribute, value === true ? '' : `${value}`)
      },
    })
  }
  for (const flag of FLAG_ATTRIBUTES) {
    Object.defineProperty(prototype, flag, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement): boolean {
        return this.hasAttribute(flag)
      },
      set(this: HTMLElement, value: unknown) {
        this.toggleAttribute(flag, Boolean(value))
      },
    })
  }
}

/**
 * Properties that the page set before the script came lie on the instance and would hide the accessors:
 * takes them off and sets them anew.
 */
export function adoptEarlyProperties(host: HTMLElement): void {
  for (const name of PROPERTIES) {
    if (!Object.hasOwn(host, name)) continue
    const early: unknown = Reflect.get(host, name)
    if (Reflect.deleteProperty(host, name)) Reflect.set(host, name, early)
  }
}
