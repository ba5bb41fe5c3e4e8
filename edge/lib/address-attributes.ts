// Lists the attributes of HTML that contain addresses.

/** Attributes with one address. */
export const ADDRESS_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src action formaction background poster data cite longdesc lowsrc dynsrc manifest codebase classid profile xlink:href'.split(
    ' ',
  ),
)
/** Attributes with several addresses. */
export const ADDRESS_LIST_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'ping', 'archive'])
