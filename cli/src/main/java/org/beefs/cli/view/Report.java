package org.beefs.cli.view;

/** What a command shows. As JSON it is an interface: fields are added, never renamed. */
public interface Report {
    /** For people. */
    String render();
}
