// The error for what a person has entered, with words for that person.

export class InvalidInput extends Error {}
