package org.beefs.cli.view;

/**
 * What was done to a desktop. Its JSON is an interface: fields are added, never renamed.
 *
 * @param done for people
 */
public record Done(String desktop, String done) {}
