// Keeps the first script alive on a page whose Trusted Types do not allow Lit's policy `lit-html`: Lit makes it while it
// is loaded, and an error there would end the script before the element can report it.

interface PolicyFactory {
  createPolicy(name: string, rules: object): unknown
}

/** The browser's error where Lit has no policy, and so can render no template. */
export let litRefusal: Error | undefined

/** A function of the page's own in place of the browser's. */
let ofPage: PropertyDescriptor | undefined

const factoryOf = (): PolicyFactory | undefined => Reflect.get(globalThis, 'trustedTypes')

/** Called before Lit is loaded. */
export function guardLitPolicy(): void {
  const factory = factoryOf()
  if (factory === undefined) return
  const { createPolicy } = factory
  ofPage = Object.getOwnPropertyDescriptor(factory, 'createPolicy')
  factory.createPolicy = (name, rules) => {
    try {
      return createPolicy.call(factory, name, rules)
    } catch (error) {
      litRefusal = error as Error
      return undefined
    }
  }
}

/** Gives the page its function back, after Lit is loaded. */
export function restorePolicies(): void {
  const factory = factoryOf()
  if (factory === undefined) return
  Reflect.deleteProperty(factory, 'createPolicy')
  if (ofPage !== undefined) Object.defineProperty(factory, 'createPolicy', ofPage)
}
