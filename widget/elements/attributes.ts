// The element's attributes and the properties that mirror them.

/** Properties whose value is the attribute's text. `token` is apart: it is never written to the page. */
const TEXTS = ['apiKey', 'userId', 'authType', 'baseUrl', 'mode', 'locale', 'theme', 'toasts']
/** `api-key` for `apiKey`. */
const attributeOf = (property: string): string => property.replace(/[A-Z]/, '-$&').toLowerCase()

const FLAGS: string[] = ['open', 'sound', 'desktop', 'debug']
const MIRRORED = [...TEXTS, ...FLAGS]

export const OBSERVED: string[] = [...MIRRORED.map(attributeOf), 'token', 'dir']

const PROPERTIES = [...MIRRORED, 'token', 'tokenProvider', 'renderRow', 'texts']

/** Defines the mirroring accessors on the class; called once, when it is made. */
export function mirrorAttributes(prototype: HTMLElement): void {
  for (const property of MIRRORED) {
    const attribute = attributeOf(property)
    const isFlag = FLAGS.includes(property)
    Object.defineProperty(prototype, property, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement): string | boolean | null {
        return isFlag ? this.hasAttribute(attribute) : this.getAttribute(attribute)
      },
      set(this: HTMLElement, value: unknown) {
        if (isFlag) this.toggleAttribute(attribute, Boolean(value))
        else if ((value ?? false) === false) this.removeAttribute(attribute)
        else this.setAttribute(attribute, value === true ? '' : `${value}`)
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
