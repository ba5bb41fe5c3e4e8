// Declares JSON values as types, for the free objects of customers.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = Record<string, Json>
