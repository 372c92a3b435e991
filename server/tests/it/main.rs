//! Integration tests: one binary that mirrors the routes. Each test has its own database and its own server on
//! loopback. SQLite by default; PostgreSQL when `ALCADA_TEST_DATABASE_URL` names a server.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod abilities;
mod accounts;
mod admin_tools;
mod agent_pages;
mod agents;
mod analytics;
mod api_keys;
mod app;
mod assistant;
mod audit_log;
mod bad_input;
mod channels;
mod cli;
mod clocks;
mod code_tools;
mod confirmations;
mod crash;
mod crm;
mod days;
mod drafts;
mod events;
mod executions;
mod invitations;
mod items;
mod limits;
mod members;
mod openapi;
mod operation;
mod pages;
mod palette;
mod platform;
mod records;
mod recovery;
mod security;
mod setup;
mod storage;
mod switches;
mod toolbox;
mod tools;
mod workshop;
