// Describes the event of a choice in a menu of the library.

/** Of the library's event `wa-select`. */
export type SelectEvent = CustomEvent<{ item: { value: string } }>
