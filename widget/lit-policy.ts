// Keeps the first script alive on a page whose Trusted Types do not allow Lit's policy `lit-html`: Lit makes it while it
// is loaded, and an error there would end the script before the element can report it. Imported before Lit.

interface PolicyFactory {
  createPolicy(name: string, rules: object): unknown
}

const factory: PolicyFactory | undefined = Reflect.get(globalThis, 'trustedTypes')
const createPolicy = factory?.createPolicy

/** The browser's error where Lit has no policy, and so cannot draw. */
export let litRefusal: Error | undefined

if (factory !== undefined) {
  factory.createPolicy = (name, rules) => {
    try {
      return createPolicy?.call(factory, name, rules)
    } catch (error) {
      litRefusal = error as Error
      return undefined
    }
  }
}

/** Gives the page its function back, after Lit is loaded. */
export function restorePolicies(): void {
  if (factory !== undefined) Reflect.deleteProperty(factory, 'createPolicy')
}
