/** Accounts, passwords, sessions, tokens: who asks, and what he may. */
@NullMarked
package org.beefs.queenbee.console.login;

import org.jspecify.annotations.NullMarked;
