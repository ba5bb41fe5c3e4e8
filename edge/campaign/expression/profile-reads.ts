// Finds out from a source alone, without parsing it, whether an expression may read the user's profile.

/** The word `user`, which is no field of something else and is not followed by `.id`. */
const PROFILE = /(?<![.\w])user\b(?!\s*\.\s*id\b)/
/** Filters that print in the user's language or zone, and snippets, whose sources may do it. */
const LANGUAGE = /\|\s*(?:date\w*|number|money|plural|list|t)\b|\brender\s*['"]/

/** True when it may read more of the user than `user.id`. A read of a profile that is not needed is harmless. */
export function mayReadProfile(source: string): boolean {
  return PROFILE.test(source)
}

/** True when a template may print in the user's language or zone. */
export function mayPrintForUser(source: string): boolean {
  return LANGUAGE.test(source)
}
