// The platform's classes where they exist: importing the widget on a server has no effect and no fault.

/** Event, or an empty class under SSR, where none is ever made. */
export const DomEvent: typeof Event = Reflect.get(globalThis, 'Event') ?? class {}

/** HTMLElement, or an empty class under SSR, where none is ever made. */
export const DomElement: typeof HTMLElement = Reflect.get(globalThis, 'HTMLElement') ?? class {}
