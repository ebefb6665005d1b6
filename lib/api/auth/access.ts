/**
 * Who may call a route, in the order of the roles: a caller who may write may also run and read. `tick` is for the
 * external clock, and for admins; `session` for everybody, and tells the route who calls, if that is known. There is no
 * default: a route without an access rule does not compile.
 */
export type Access = 'public' | 'session' | 'read' | 'run' | 'write' | 'admin' | 'tick'
